import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { Page, Panel, Section } from "../../components/page.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { useConfirmation } from "../../components/use-confirmation.ts";
import { leaveFor } from "../../session/load-session.ts";
import { sessionCalls } from "../../session/tokens.ts";
import { useOrg } from "../../session/use-org.ts";
import { setTheme, useTheme } from "../../shell/theme.ts";
import { roleLabel } from "../members/roles.ts";
import { Organizations } from "./organizations.tsx";

/** Who you are here, how it looks to you, and the way out. */
export function ProfilePage(): ReactNode {
  const { user, org } = useOrg();
  const theme = useTheme();
  return (
    <Page title="Profile" narrow>
      <Section title="You" description="Your name and address come from the account you sign in with.">
        <Panel>
          <DescriptionList
            items={[
              { term: "Name", description: user.name ?? "Not given" },
              { term: "E-mail", description: user.email },
              { term: `Role in ${org.name}`, description: <Chip>{roleLabel(org.role)}</Chip> },
            ]}
          />
        </Panel>
      </Section>
      <Organizations />
      <Section title="Appearance">
        <SegmentedControl
          label="Theme"
          value={theme}
          onChange={setTheme}
          tabs={[
            { value: "system", label: "As the system" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
        />
      </Section>
      <EndSessions />
    </Page>
  );
}

function EndSessions(): ReactNode {
  const end = useMutation({
    mutationFn: () => sessionCalls.endSessionsEverywhere(),
    onSuccess: () => leaveFor("/auth/signed-out"),
  });
  const { ask, dialog } = useConfirmation(end);
  return (
    <Section title="Sessions" description="Use this after losing a device. API tokens and agents stay as they are.">
      <Button onClick={ask}>Sign out everywhere</Button>
      <ConfirmDialog
        {...dialog}
        title="Sign out everywhere?"
        description="Every browser in which you are signed in, this one too, has to sign in again."
        confirmLabel="Sign out everywhere"
      />
    </Section>
  );
}
