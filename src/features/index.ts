/** The features on the ledger, one line each; `abi.ts` composes them. */
export { coreLedger as core } from './core/feature.js'
export { isoLedger as iso20022 } from './iso20022/ledger/index.js'
export { laneLedger as lanes } from './lanes/ledger/index.js'
