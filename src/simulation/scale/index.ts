/** The performance model: the real consensus machine with modelled processors, disks and links, on a virtual clock. */
export { type Costs, costsFromJson, DEFAULT_COSTS } from './costs.js'
export { measureCosts } from './measure.js'
export { LATENCIES } from './regions.js'
export { reportOf, type ScaleReport, type ScaleRow } from './report.js'
export { type ScaleResult, ScaleRun } from './run.js'
export { DEFAULT_SCENARIO, PAYLOAD_WAYS, type ScaleScenario } from './scenario.js'
export { asGiven, type Variant, variantsOf } from './variants.js'
