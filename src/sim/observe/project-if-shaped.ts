import { reasonOf } from '../base/errors.ts';
import type { KubeObject } from '../kube/objects.ts';
import type { ObservedResource, Projection } from '../model/operator-profile.ts';

type Projected =
  | { readonly projection: Projection; readonly refusal?: never }
  | { readonly projection?: never; readonly refusal: string };

/**
 * What is kept of an object, or why it cannot be read. The cluster takes objects that a profile does not expect; such
 * a one is a gap to be recorded, and must never look like an object that did not change, nor end the run.
 */
export function projectIfShaped(resource: ObservedResource, object: KubeObject): Projected {
  try {
    return { projection: resource.project(object) };
  } catch (error) {
    const { name } = object.metadata;
    return { refusal: `${name} has an unexpected shape: ${reasonOf(error)}` };
  }
}
