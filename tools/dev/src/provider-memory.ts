type Payload = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: number };

interface Entry {
  payload: Payload;
  until: number;
}

/** Where a local provider keeps what it has to remember: here, until it stops. The shape is oidc-provider's adapter. */
export function createProviderMemory(): new (model: string) => object {
  const entries = new Map<string, Entry>();

  return class {
    readonly #model: string;

    constructor(model: string) {
      this.#model = model;
    }

    async upsert(id: string, payload: Payload, seconds: number): Promise<void> {
      entries.set(`${this.#model} ${id}`, { payload, until: Date.now() + seconds * 1_000 });
    }

    async find(id: string): Promise<Payload | undefined> {
      const entry = entries.get(`${this.#model} ${id}`);
      return entry && entry.until > Date.now() ? entry.payload : undefined;
    }

    async findByUid(uid: string): Promise<Payload | undefined> {
      return this.#all().find((payload) => payload.uid === uid);
    }

    async findByUserCode(): Promise<undefined> {
      return undefined;
    }

    async consume(id: string): Promise<void> {
      const payload = await this.find(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
    }

    async destroy(id: string): Promise<void> {
      entries.delete(`${this.#model} ${id}`);
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
    }

    #all(): Payload[] {
      return [...entries].filter(([key]) => key.startsWith(`${this.#model} `)).map(([, { payload }]) => payload);
    }
  };
}
