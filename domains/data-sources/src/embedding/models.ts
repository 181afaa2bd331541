/** Turns text into the vectors of one model. */
export interface Embedder {
  model: string;
  dimensions: number;
  /** Runs in this process: what it embeds is sent to nobody. */
  isLocal: boolean;
  /** One vector for each text, each as long as `dimensions`, finite and not zero. Throws AppError. */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** The models that the operator has set up, by the name that configurations use. */
export interface EmbeddingModels {
  find(model: string): Embedder | undefined;
  names(): string[];
  close(): Promise<void>;
}
