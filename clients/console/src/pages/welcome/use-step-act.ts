import type { ApiClient } from "@svc/http-client";
import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { useOrg } from "../../session/use-org.ts";

/** What a step does; afterwards everything is asked for again, which tells whether the next one has come. */
export function useStepAct(act: (api: ApiClient) => Promise<unknown>): UseMutationResult<unknown, Error, void> {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => act(api),
    onSuccess: () => queries.invalidateQueries({ queryKey: [org.slug] }),
  });
}
