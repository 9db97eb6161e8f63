/** Owns the variants of a scenario: the same network with one part of the protocol changed in each. */
import type { ScaleScenario } from './scenario.js'

/** Scenario with the name of its variant. */
export interface Variant {
  readonly variant: string
  readonly scenario: ScaleScenario
}

/** Variant with the unchanged network. */
export const asGiven = (scenario: ScaleScenario): Variant => ({ variant: 'as given', scenario })

/** Unchanged network, followed by the variants with one part of the protocol changed. */
export function variantsOf(scenario: ScaleScenario): Variant[] {
  const { parameters, validators } = scenario
  return [
    asGiven(scenario),
    { variant: 'all collect', scenario: { ...scenario, parameters: { ...parameters, collectorsK: validators } } },
    { variant: 'compact', scenario: { ...scenario, payload: 'compact' } },
    { variant: 'chunks', scenario: { ...scenario, payload: 'chunks' } },
    {
      variant: 'data availability',
      scenario: { ...scenario, parameters: { ...parameters, dataAvailability: true } },
    },
  ]
}
