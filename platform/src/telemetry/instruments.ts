import { type Counter, type Histogram, metrics } from "@opentelemetry/api";

/*
 * Instruments are made on first use: the meter provider is set at start, after modules were loaded.
 * Labels are bounded sets (route pattern, status, queue, outcome). Never an organization, a person, an id
 * or a question: each value is a time series that lives until the process ends.
 */
type Labels = Record<string, string | number>;

export interface CounterHandle {
  add(labels?: Labels, by?: number): void;
}

export function counter(name: string, description: string): CounterHandle {
  let instrument: Counter | undefined;
  return {
    add: (labels = {}, by = 1) => {
      instrument ??= metrics.getMeter("svc").createCounter(name, { description });
      instrument.add(by, labels);
    },
  };
}

export function durationHistogram(name: string, description: string): (seconds: number, labels: Labels) => void {
  let instrument: Histogram | undefined;
  return (seconds, labels) => {
    instrument ??= metrics.getMeter("svc").createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
    });
    instrument.record(seconds, labels);
  };
}

interface Reading {
  value: number;
  labels?: Labels;
}

/** A value that is read at each scrape. */
export function observeGauge(name: string, description: string, read: () => Reading[] | Promise<Reading[]>): void {
  metrics
    .getMeter("svc")
    .createObservableGauge(name, { description })
    .addCallback(async (result) => {
      for (const { value, labels } of await read()) result.observe(value, labels ?? {});
    });
}
