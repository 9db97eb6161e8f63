/** Evidence of provable faults: found by the rules, judged alike by nodes and by execution. */
export { FAULT_KINDS, type FaultKind, faultKey, judgeEvidence, type ProvenFault } from './proof.js'
