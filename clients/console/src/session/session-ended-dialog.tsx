import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { SIGNED_IN_PATH, signInAddress } from "./sign-in.ts";

/** Over whatever the person was doing, which stays as it is and goes on after signing in. */
export default function SessionEndedDialog(): ReactNode {
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      closable={false}
      title="You were signed out"
      description="Your session has ended. Sign in again in a new window; what you typed here stays, and goes on from there."
      footer={
        <Button variant="primary" onClick={signIn}>
          Sign in again
        </Button>
      }
    />
  );
}

function signIn(): void {
  window.open(
    signInAddress(new URL(SIGNED_IN_PATH, location.origin).href),
    "svc-sign-in",
    "popup,width=520,height=720",
  );
}
