import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";

interface OnDemandProps {
  className: string;
  /** What the button shows, and says to who cannot see it. */
  children: ReactNode;
}

/**
 * A button that becomes a menu when it is first pressed. Menus bring 8 kB of scripts, and most visits open none; they
 * are fetched as soon as somebody comes near.
 */
export function menuOnDemand<P>(
  load: () => Promise<{ default: ComponentType<P & OnDemandProps> }>,
): (props: P & OnDemandProps) => ReactNode {
  const Loaded = lazy(load) as unknown as ComponentType<P & OnDemandProps>;
  const fetchAhead = (): void => void load();
  return function MenuOnDemand(props): ReactNode {
    const [isWanted, setWanted] = useState(false);
    const { className, children } = props;
    const button = (
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={isWanted}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => setWanted(true)}
        className={className}
      >
        {children}
      </button>
    );
    if (!isWanted) return button;
    return (
      <Suspense fallback={button}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
