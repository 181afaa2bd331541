import { type ReactNode, useState } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { ForbiddenState } from "../../components/forbidden-state.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { Page, Panel } from "../../components/page.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { ConnectAgent } from "../agents/connect-agent.tsx";
import { AskStep } from "./ask-step.tsx";
import { DatabaseStep } from "./database-step.tsx";
import { ExposeStep } from "./expose-step.tsx";
import { FillStep } from "./fill-step.tsx";
import { Step, type StepState } from "./step.tsx";
import { StepsSkeleton } from "./steps-skeleton.tsx";
import { useSetup } from "./use-setup.ts";

/** From an empty organization to the first answered question. */
export function WelcomePage(): ReactNode {
  const { org } = useOrg();
  const permission = usePermission("developer", "Setting up a source");
  const setup = useSetup(permission.allowed);
  const [isAnswered, setAnswered] = useState(false);
  return (
    <Page
      narrow
      title="Set up your first source"
      description={`Four steps, a few minutes. Nothing of ${org.name} is shown to anybody before the third.`}
    >
      {content()}
    </Page>
  );

  function content(): ReactNode {
    if (!permission.allowed)
      return (
        <Panel padded={false}>
          <ForbiddenState permission={permission} />
        </Panel>
      );
    if (setup.isLoading) return <StepsSkeleton />;
    if (setup.error && !setup.database) {
      return (
        <Panel padded={false}>
          <ErrorState error={setup.error} what="how far you are" onRetry={setup.retry} />
        </Panel>
      );
    }
    const { database, source } = setup;
    const isDone = [database?.status === "ready", source?.search_configured, source?.exposed, isAnswered];
    const current = isDone.findIndex((done) => !done);
    const stateOf = (index: number): StepState => {
      if (current === -1 || index < current) return "done";
      return index === current ? "current" : "later";
    };
    return (
      <>
        <Panel padded={false}>
          <ol>
            <Step
              number={1}
              title="Create a database"
              state={stateOf(0)}
              result={database && `${database.name} is ready.`}
            >
              <DatabaseStep database={database} />
            </Step>
            <Step
              number={2}
              title="Put in what there is to find"
              state={stateOf(1)}
              result="A table with vectors is there, and search is configured."
            >
              {database && <FillStep database={database} />}
            </Step>
            <Step
              number={3}
              title="Expose it to agents"
              state={stateOf(2)}
              result={source && `Open to ${source.min_role} and up.`}
            >
              {source && <ExposeStep source={source} />}
            </Step>
            <Step number={4} title="Ask the first question" state={stateOf(3)} result="Answered. Agents get the same.">
              {source && <AskStep source={source} onAnswer={() => setAnswered(true)} />}
            </Step>
          </ol>
        </Panel>
        {current === -1 && source && (
          <>
            <ConnectAgent />
            <div>
              <LinkButton
                variant="primary"
                to="/o/$org/data-sources/$sourceId"
                params={{ org: org.slug, sourceId: source.source_id }}
              >
                Go to {source.name}
              </LinkButton>
            </div>
          </>
        )}
      </>
    );
  }
}
