/** Owns the ids of parameters, of the range of the core. Append only. */
export const PARAMETER_INSTRUCTIONS = {
  setParameter: 29,
} as const
export const PARAMETER_EVENTS = {
  parameterChanged: 12,
} as const
export const PARAMETER_QUERIES = {
  parameters: 29,
} as const
