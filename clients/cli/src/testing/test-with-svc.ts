import { afterAll, afterEach, beforeAll } from "vitest";
import { type InstalledSvc, installSvc } from "./run-svc.ts";
import { initialState, KEY, type StandInService, startStandInService } from "./stand-in-service.ts";

interface SvcUnderTest {
  service: StandInService;
  svc: InstalledSvc;
  /** Logs in at the service without a saved login. */
  env: Record<string, string>;
}

/** The program and a service for it, once for a file; after each test both have forgotten everything. */
export function testWithSvc(use: (world: SvcUnderTest) => void): void {
  let world: SvcUnderTest;
  beforeAll(async () => {
    const [service, svc] = await Promise.all([startStandInService(), installSvc()]);
    world = { service, svc, env: { SVC_API_URL: service.url, SVC_API_KEY: KEY } };
    use(world);
  });
  afterAll(() => {
    world.service.stop();
    world.svc.remove();
  });
  afterEach(() => {
    world.svc.forget();
    Object.assign(world.service, initialState());
  });
}
