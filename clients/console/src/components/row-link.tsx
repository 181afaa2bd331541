import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

interface RowLinkProps {
  href: string;
  className: string;
  children: ReactNode;
}

/** A link without the router's own, which works out anew at each rendering whether it leads to where one is. */
export function RowLink({ href, className, children }: RowLinkProps): ReactNode {
  const router = useRouter();
  const follow = (event: MouseEvent): void => {
    // Any other press means another tab or window, which is the browser's business.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  return (
    <a href={href} data-row-target onClick={follow} className={className}>
      {children}
    </a>
  );
}
