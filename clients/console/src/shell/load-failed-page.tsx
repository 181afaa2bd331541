import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorState } from "../components/error-state.tsx";
import { MessagePage } from "./message-page.tsx";

/** A new version replaces the files that an open page would still load: only a reload helps then. */
export function LoadFailedPage({ error }: ErrorComponentProps): ReactNode {
  return (
    <MessagePage>
      <ErrorState isPage error={error} what="this page" onRetry={() => location.reload()} />
    </MessagePage>
  );
}
