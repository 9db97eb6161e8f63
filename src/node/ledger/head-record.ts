/** Owns the record of the last block stored with its state; trials on that state need it. */
import { type Infer, option, struct } from '../../codec/index.js'
import { blockHeader, quorumCertificate } from '../../model/index.js'

/** Name of the record in the node's own bookkeeping. */
export const HEAD_RECORD = 'head-block'

/** Header of a block with its commit certificate; the genesis block has none. */
export interface Head extends Infer<typeof headRecord> {}
export const headRecord = struct('HeadRecord', { header: blockHeader, certificate: option(quorumCertificate) })
