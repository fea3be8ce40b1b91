import * as z from 'zod';
import { PUBLISHED_PATHS } from '../../stubs/daemon/contract.ts';
import { LIST_PATHS } from '../../stubs/fleet/contract.ts';
import { FAULT_KINDS, isMomentary, type Fault, type FaultKind } from '../model/fault.ts';
import { nodeSet, positiveDuration } from './values.ts';

const PATH = z.enum(PUBLISHED_PATHS, { error: `expected one of ${PUBLISHED_PATHS.join(', ')}` });
const NIC = z.string().regex(/^[a-z][a-z0-9.-]{0,14}$/, 'expected the name of an interface');

/** Which further keys a kind of fault has; those that end in `!` must be there. */
const KEYS: Readonly<Record<FaultKind, readonly string[]>> = {
  latency: ['delay!', 'spread', 'paths'],
  hang: ['paths'],
  refuse: [],
  reset: ['paths'],
  error: ['status', 'paths'],
  malformed: ['paths'],
  empty: ['paths'],
  drop: [],
  'slow-start': ['delay!'],
  address: [],
  'missing-nic': ['interface!'],
  'extra-nic': ['interface!'],
  'not-ready': [],
};
const OWN_KEYS = ['delay', 'spread', 'status', 'interface', 'paths'] as const;

const written = z.strictObject({
  nodes: nodeSet.meta({
    description: 'The nodes, also such as are not there yet: `3`, `1-10`, `1-4,7`.',
  }),
  what: z.enum(FAULT_KINDS as [FaultKind, ...FaultKind[]]).meta({
    description:
      'What is wrong: the daemon answers late (`latency`) or never (`hang`), refuses connections, resets them, answers an `error`, a `malformed` body or `empty` lists; `drop` breaks open connections once; `slow-start` makes every start of it slow; its NICs have another `address`, or one is missing or too many; its pod is `not-ready`.',
  }),
  delay: positiveDuration.optional().meta({
    description: 'How late the daemon answers, or how long its start takes.',
  }),
  spread: z.enum(['fixed', 'uniform', 'exponential']).optional().meta({
    description:
      'How `latency` is spread: always `delay` (`fixed`, the default), evenly from nothing to twice as much, or exponentially about it.',
  }),
  status: z.int().min(400).max(599).optional().meta({
    description: 'The HTTP status of `error`. Default: 500.',
  }),
  interface: NIC.optional().meta({ description: 'The NIC that is missing, or one too many.' }),
  paths: z.array(PATH).min(1).optional().meta({
    description: 'Paths of the daemon to which the fault is limited. Default: all.',
  }),
  for: positiveDuration.optional().meta({
    description:
      'How long it lasts; the step then waits until everything holds again. Default: until a `heal` step.',
  }),
  times: z.int().min(1).max(1000).default(1).meta({
    description: 'How often it comes, with `for` as long a rest between two times.',
  }),
});

type Written = z.output<typeof written>;

function checkKeys(fault: Written, context: z.RefinementCtx): void {
  const keys = KEYS[fault.what];
  const say = (key: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [key], message });
  };
  for (const key of OWN_KEYS) {
    if (fault[key] !== undefined && !keys.includes(key) && !keys.includes(`${key}!`))
      say(key, `does not go with ${fault.what}`);
    if (fault[key] === undefined && keys.includes(`${key}!`))
      say(key, `is missing: ${fault.what} needs it`);
  }
  if (fault.what === 'empty' && fault.paths?.some((path) => !LIST_PATHS.includes(path)) === true)
    say('paths', `only ${LIST_PATHS.join(', ')} have lists that can be empty`);
  if (fault.for === undefined && fault.times > 1) say('times', 'needs `for`, after which it ends');
}

function faultOf({ what, delay, spread, status, interface: nic, paths }: Written): Fault {
  const onPaths = paths ? { paths } : {};
  switch (what) {
    case 'latency':
      return { kind: what, delayMs: delay ?? 0, spread: spread ?? 'fixed', ...onPaths };
    case 'error':
      return { kind: what, status: status ?? 500, ...onPaths };
    case 'slow-start':
      return { kind: what, delayMs: delay ?? 0 };
    case 'missing-nic':
    case 'extra-nic':
      return { kind: what, interface: nic ?? '' };
    case 'hang':
    case 'reset':
    case 'malformed':
    case 'empty':
      return { kind: what, ...onPaths };
    default:
      return { kind: what };
  }
}

/** The keys that a fault is written with, besides those that every step has. */
export const faultShape = written.shape;

/** Reads them: says what does not go together, and answers the fault. */
export const asFault = <S extends Written>(shape: S, context: z.RefinementCtx) => {
  checkKeys(shape, context);
  const {
    what: _,
    delay: __,
    spread: ___,
    status: ____,
    interface: _____,
    paths: ______,
    ...rest
  } = shape;
  return { ...rest, fault: faultOf(shape) };
};

/** A fault of this kind is over at once, so that nothing has to be healed. */
export const endsByItself = ({ fault, for: forMs }: { fault: Fault; for?: number | undefined }) =>
  isMomentary(fault) || forMs !== undefined;
