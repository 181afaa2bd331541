import type { DataSource, ManagedDatabase } from "@svc/contract";
import type { ReactNode } from "react";
import { ConfigurationSection } from "./configuration-section.tsx";
import { DatabaseSection } from "./database-section.tsx";
import { DeletingNotice } from "./deleting-notice.tsx";
import { ExposureSection } from "./exposure-section.tsx";
import { HealthSection } from "./health-section.tsx";

interface ManagedOverviewProps {
  source: DataSource;
  /** Undefined until it is known. */
  database: ManagedDatabase | undefined;
}

/** For those who look after sources: who can ask it, how it is, what it gives away, and the database itself. */
export function ManagedOverview({ source, database }: ManagedOverviewProps): ReactNode {
  if (database?.status === "deleting") return <DeletingNotice database={database} />;
  return (
    <div className="flex flex-col gap-8">
      <ExposureSection source={source} />
      <HealthSection source={source} isMade={database?.status !== "creating"} />
      <ConfigurationSection source={source} />
      <DatabaseSection source={source} database={database} />
    </div>
  );
}
