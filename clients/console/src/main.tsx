import { CSPProvider } from "@base-ui/react/csp-provider";
import { ApiProblem } from "@svc/http-client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ToastProvider } from "./components/toast.tsx";
import { fetchPageAhead } from "./page-loads.ts";
import { createConsoleRouter } from "./routes.tsx";
import { sessionQuery } from "./session/load-session.ts";
import { listenForSignIn } from "./session/session-end.ts";
import { applyTheme } from "./shell/theme.ts";
import "./styles.css";

// What checks answers tries first whether it may evaluate code, which the page's policy refuses and the browser
// reports. It is loaded when a request fails, and has to know by then that it may not.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
applyTheme();
fetchPageAhead(location.pathname);
listenForSignIn();

const queries = new QueryClient({
  defaultOptions: {
    // Offline is told like any failure. What waits for the network instead would turn without a word, and be done
    // later, when nobody thinks of it any more.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 10_000,
      // What the service refuses it refuses again; only what never arrived is worth another try.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem),
    },
  },
});
const router = createConsoleRouter(queries);
// Before the first rendering, which takes longer than the request to leave.
if (location.pathname.startsWith("/o/")) void queries.prefetchQuery(sessionQuery);

const container = document.getElementById("root");
if (!container) throw new Error("the page has no element to render into");
createRoot(container).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
