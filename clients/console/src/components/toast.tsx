import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from "lucide-react";
import { type ReactNode } from "react";
import { buttonLook } from "./button-look.ts";
import { classNames } from "./class-names.ts";

type ToastTone = "ok" | "info" | "warn" | "danger";

export interface ToastMessage {
  tone: ToastTone;
  title: string;
  description?: string | undefined;
  action?: { label: string; onPress: () => void } | undefined;
}

export interface Toasts {
  show: (message: ToastMessage) => void;
}

/** One for the page, so that what is not inside the viewport can show one too. */
const manager = Base.createToastManager();

const toasts: Toasts = {
  show({ tone, title, description, action }) {
    const id = manager.add({
      title,
      description,
      type: tone,
      // An error stays until it is closed: whoever looked away must still find it.
      timeout: tone === "danger" ? 0 : action ? 10_000 : 5_000,
      ...(action && {
        actionProps: {
          children: action.label,
          onClick: () => {
            manager.close(id);
            action.onPress();
          },
        },
      }),
    });
  },
};

export function useToast(): Toasts {
  return toasts;
}

/** Around the app: what it holds, and the corner where toasts appear. */
export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  return (
    <Base.Provider toastManager={manager} limit={4}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 left-4 z-60 flex flex-col gap-2 outline-none sm:left-auto sm:w-90">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

const marks: Record<ToastTone, [LucideIcon, string]> = {
  ok: [CircleCheck, "text-ok"],
  info: [Info, "text-info"],
  warn: [TriangleAlert, "text-warn"],
  danger: [CircleAlert, "text-danger"],
};

function ToastList(): ReactNode {
  const { toasts: shown } = Base.useToastManager();
  return shown.map((toast) => {
    const [Icon, colour] = marks[(toast.type ?? "info") as ToastTone];
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        // It takes nothing over and asks for nothing, so it is no dialog; the viewport reads it out.
        role="group"
        aria-modal={undefined}
        swipeDirection={["right", "down"]}
        className="translate-x-(--toast-swipe-movement-x) rounded-lg border border-line bg-surface text-sm text-ink shadow-float transition-[opacity,translate] data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-1 data-starting-style:opacity-0"
      >
        <Base.Content className="flex gap-2.5 py-2.5 pr-2 pl-3">
          <Icon aria-hidden size={16} className={classNames("mt-0.5 shrink-0", colour)} />
          <div className="flex min-w-0 flex-1 flex-col items-start gap-0.5 wrap-anywhere">
            <Base.Title className="font-medium" />
            <Base.Description className="text-muted" />
            <Base.Action className={classNames(buttonLook({ size: "sm" }), "mt-1.5")} />
          </div>
          <Base.Close
            aria-label="Close"
            aria-hidden={false}
            className={classNames(
              buttonLook({ variant: "ghost", size: "sm" }),
              "w-7 px-0! -my-1 pointer-coarse:-my-2.5 pointer-coarse:w-10",
            )}
          >
            <X aria-hidden size={14} />
          </Base.Close>
        </Base.Content>
      </Base.Root>
    );
  });
}
