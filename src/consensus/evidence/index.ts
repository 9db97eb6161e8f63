/** Evidence of provable faults: found by the rules, judged alike by nodes and by execution. */
export { type FaultKind, faultKey, judgeEvidence, type ProvenFault } from './proof.js'
