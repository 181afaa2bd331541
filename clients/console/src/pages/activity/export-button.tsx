import type { Activity } from "@svc/contract";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { formatCount } from "../../components/format-count.ts";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import type { ActivitySearch } from "./activity-search.ts";
import { toCsv } from "./csv.ts";
import { ofApi } from "./use-activity.ts";

/** A hundred requests; beyond that, narrow the filters or ask the API. */
const MOST_ROWS = 10_000;

export function ExportButton({ search }: { search: ActivitySearch }): ReactNode {
  const { org, api } = useOrg();
  const toasts = useToast();
  const [loaded, setLoaded] = useState(0);
  const exporting = useMutation({
    mutationFn: async () => {
      const rows: Activity[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.listActivity({ ...ofApi(search), limit: 100, cursor });
        rows.push(...page.items);
        cursor = page.next_cursor ?? undefined;
        setLoaded(rows.length);
      } while (cursor !== undefined && rows.length < MOST_ROWS);
      save(toCsv(rows), `activity-${org.slug}-${new Date().toISOString().slice(0, 10)}.csv`);
      return { count: rows.length, isWhole: cursor === undefined };
    },
    onSettled: () => setLoaded(0),
    onSuccess: ({ count, isWhole }) =>
      toasts.show({
        tone: isWhole ? "ok" : "warn",
        title: `${formatCount(count)} rows exported`,
        description: isWhole ? undefined : "There are more. Narrow the range of time to get the rest.",
      }),
    onError: (error) =>
      toasts.show({ tone: "danger", title: "Nothing was exported", description: describeFailedAct(error) }),
  });
  return (
    <Button
      icon={Download}
      aria-disabled={exporting.isPending}
      onClick={() => !exporting.isPending && exporting.mutate()}
    >
      {exporting.isPending ? `Exporting ${formatCount(loaded)}` : "Export CSV"}
    </Button>
  );
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
