/** Owns receipts: signed by the network key off the main thread, in batches (docs/design/gateway.md). */
import type { CryptoService, KeyPair } from '../../crypto/index.js'
import { keyString, type Receipt, receiptSignBytes } from '../../model/index.js'
import { Batcher } from './batcher.js'

/** Name under which the crypto service holds the network secret. */
const KEY_ID = 'receipts'
/** Maximum number of receipts signed in one request: a few milliseconds of work. */
const BATCH_MAX = 64

type Unsigned = Omit<Receipt, 'signature'>

export class Receipts {
  private readonly signer: string
  private readonly batcher: Batcher<Unsigned, Receipt>

  constructor(crypto: CryptoService, network: KeyPair) {
    crypto.addEd25519Key(KEY_ID, network.secret)
    this.signer = keyString(network.publicKey.bytes)
    this.batcher = new Batcher<Unsigned, Receipt>({
      sizeMax: BATCH_MAX,
      waitMs: 0,
      busyWaitMs: () => 2,
      run: async (bodies) => {
        const signatures = await crypto.ed25519SignBatch(KEY_ID, bodies.map(receiptSignBytes))
        return bodies.map((body, index) => ({ ...body, signature: signatures[index] as Buffer }))
      },
    })
  }

  /** Sign the statement of the node that it admitted a transaction. */
  sign(transactionHash: Uint8Array, submittedAtMs: number, submittedAtHeight: number): Promise<Receipt> {
    return this.batcher.add({ transactionHash, submittedAtMs, submittedAtHeight, signer: this.signer })
  }
}
