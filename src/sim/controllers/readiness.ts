import { parseDuration } from '../base/duration.ts';
import { isRecord } from '../base/json.ts';
import type { Host } from '../host/host.ts';
import type { KubeClient } from '../kube/client.ts';
import { HealthProbe } from '../kube/health.ts';
import type { Readiness } from '../model/controller-spec.ts';

/** Answers whether a controller is ready, and what was seen last. */
export interface ReadinessCheck {
  readonly describe: string;
  isReady(): Promise<boolean>;
  lastState(): string;
  close(): Promise<void>;
}

export interface ReadinessNeeds {
  readonly host: Pick<Host, 'files' | 'clock'>;
  readonly kube: KubeClient;
  readonly logFile: string;
  /** Where in the log this process began, in characters. */
  readonly logStart: number;
  readonly signal?: AbortSignal;
}

/** One check for each way in which a scenario may say when its controller is ready. */
export function readinessCheck(how: Readiness, needs: ReadinessNeeds): ReadinessCheck {
  if ('http' in how) return httpCheck(how.http);
  if ('log' in how) return logCheck(new RegExp(how.log, 'm'), needs);
  if ('condition' in how) return conditionCheck(how.condition, needs);
  return aliveCheck(parseDuration(how.aliveFor) ?? 2000, needs);
}

function httpCheck(url: string): ReadinessCheck {
  const probe = new HealthProbe(url, undefined);
  let last = 'no answer yet';
  return {
    describe: `${url} to answer 200`,
    async isReady() {
      const { ok, detail } = await probe.ask();
      last = detail.slice(0, 200);
      return ok;
    },
    lastState: () => last,
    close: () => probe.close(),
  };
}

function logCheck(pattern: RegExp, { host, logFile, logStart }: ReadinessNeeds): ReadinessCheck {
  let size = 0;
  return {
    describe: `a line of its log to match ${String(pattern)}`,
    async isReady() {
      const text = ((await host.files.readTextIfAny(logFile)) ?? '').slice(logStart);
      size = text.length;
      return pattern.test(text);
    },
    lastState: () => `${size} characters of log without a match`,
    close: () => Promise.resolve(),
  };
}

type Condition = Extract<Readiness, { condition: unknown }>['condition'];

function conditionCheck(condition: Condition, { kube, signal }: ReadinessNeeds): ReadinessCheck {
  const { group, version, plural, name, namespace, type } = condition;
  const kind = { group, version, plural, kind: plural, namespaced: namespace !== undefined };
  let last = 'the object is not there';
  return {
    describe: `condition ${type} of ${plural}/${name} to be True`,
    async isReady() {
      const object = await kube.get(kind, name, namespace, { signal });
      const status = object?.['status'];
      const conditions = isRecord(status) ? status['conditions'] : undefined;
      const found = (Array.isArray(conditions) ? conditions : []).find(
        (one) => isRecord(one) && one['type'] === type,
      ) as Record<string, unknown> | undefined;
      if (object) last = found ? `it is ${String(found['status'])}` : 'there is no such condition';
      return found?.['status'] === 'True';
    },
    lastState: () => last,
    close: () => Promise.resolve(),
  };
}

function aliveCheck(forMs: number, { host }: ReadinessNeeds): ReadinessCheck {
  const until = host.clock.now() + forMs;
  return {
    describe: `it to stay alive for ${forMs} ms`,
    isReady: () => Promise.resolve(host.clock.now() >= until),
    lastState: () => 'alive',
    close: () => Promise.resolve(),
  };
}
