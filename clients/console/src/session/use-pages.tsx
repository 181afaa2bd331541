import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { LoadMore } from "../components/load-more.tsx";

interface Paged<T> {
  items: T[];
  next_cursor: string | null;
}

export interface Pages<T> {
  rows: T[];
  isLoading: boolean;
  error: unknown;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
}

/** A list of the API as far as it was asked for. */
export function usePages<T>(
  queryKey: readonly unknown[],
  load: (cursor: string | undefined) => Promise<Paged<T>>,
  { enabled = true, refetchInterval = false }: { enabled?: boolean; refetchInterval?: number | false } = {},
): Pages<T> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled,
    refetchInterval,
  });
  const pages = query.data?.pages;
  return {
    rows: useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]),
    isLoading: query.isLoading,
    error: query.error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

interface Listing<T> extends Pick<Pages<T>, "rows" | "isLoading" | "error"> {
  onRetry: () => void;
  footer: ReactNode;
}

/** The same as a table takes it. */
export function listingOf<T>({
  rows,
  isLoading,
  error,
  retry,
  hasMore,
  isLoadingMore,
  loadMore,
}: Pages<T>): Listing<T> {
  const footer = <LoadMore hasMore={hasMore} isLoading={isLoadingMore} onMore={loadMore} shown={rows.length} />;
  return { rows, isLoading, error, onRetry: retry, footer };
}
