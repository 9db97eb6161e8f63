/** Owns the record of the last block beside its state, which trials on that state need. */
import { type Infer, option, struct } from '../../codec/index.js'
import { blockHeader, quorumCertificate } from '../../model/index.js'

/** Name of the record in the bookkeeping of the node. */
export const HEAD_RECORD = 'head-block'

/** Header of a block with its commit certificate, which the genesis block does not have. */
export interface Head extends Infer<typeof headRecord> {}
export const headRecord = struct('HeadRecord', { header: blockHeader, certificate: option(quorumCertificate) })
