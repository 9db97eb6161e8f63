/** Evidence of provable faults: found by the rules, judged alike by nodes and by execution. */
export { FAULT_KINDS, type FaultKind, faultKey, type ProvenFault, validateEvidence } from './proof.js'
