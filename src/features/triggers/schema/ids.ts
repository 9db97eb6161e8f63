/** Owns the ids of triggers, of the range of the core. Append only. */
export const TRIGGER_INSTRUCTIONS = {
  registerTrigger: 25,
  unregisterTrigger: 26,
  changeRepeats: 27,
  executeTrigger: 28,
} as const
export const TRIGGER_EVENTS = {
  triggerCreated: 31,
  triggerDeleted: 32,
  triggerChanged: 33,
  triggerCalled: 34,
  triggerRan: 35,
  dueRunRan: 53,
} as const
export const TRIGGER_QUERIES = {
  triggers: 11,
  trigger: 12,
} as const
