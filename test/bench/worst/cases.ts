/** Owns the inputs of the search for underpriced work: for every instruction a common one and the worst known one. */
import { FEATURES } from './features.js'
import { GOV_CASES } from './gov.js'
import { GOV_ACT_CASES } from './gov-acts.js'
import type { WorstCase } from './inputs.js'
import { MINISTRY_CASES } from './ministry.js'
import { NAME_CASES } from './names.js'
import { OBJECTS } from './objects.js'
import { PROGRAMS } from './programs.js'
import { REGISTRY_CASES } from './registry.js'
import { REPO_CASES } from './repo.js'
import { RWA_CASES } from './rwas.js'
import { SPACE_CASES } from './spaces.js'
import { SUBSCRIPTION_CASES } from './subscriptions.js'
import { VALUES } from './values.js'

/** Inputs by name. */
export const WORST_CASES: Readonly<Record<string, WorstCase>> = {
  ...VALUES,
  ...OBJECTS,
  ...PROGRAMS,
  ...FEATURES,
  ...GOV_CASES,
  ...GOV_ACT_CASES,
  ...MINISTRY_CASES,
  ...NAME_CASES,
  ...REPO_CASES,
  ...RWA_CASES,
  ...REGISTRY_CASES,
  ...SPACE_CASES,
  ...SUBSCRIPTION_CASES,
}
