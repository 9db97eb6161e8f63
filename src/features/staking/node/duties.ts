/**
 * Owns the automatic duties of a validator node: committing to randomness, revealing it, and proving that it is in
 * sync.
 */

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { NodeServices } from '../../../api/services.js'
import { commitmentOf, revealOf } from '../../../consensus/npos/index.js'
import { type Instruction, instruction, NO_METADATA, sealTransaction } from '../../../model/index.js'
import { instructions } from '../schema/instructions.js'
import type { DutyView } from '../schema/views.js'
import { queries } from '../schema/views.js'

/** Number of blocks after which a duty that is still owed is sent again, because its transaction was not committed. */
const RESEND_BLOCKS = 8
/**
 * Number of blocks after which a node without a validator checks again. It has no duties before, and a duty that
 * follows from a registration can wait as long as one that is sent again.
 */
const IDLE_BLOCKS = RESEND_BLOCKS
/** Lifetime of a duty transaction, in ms. */
const TTL_MS = 60_000
/** Random bytes of a nonce. */
const NONCE_BYTES = 6

/** Send due duties after each block, one check at a time. */
export class ValidatorDuties {
  private readonly sentAt = new Map<string, number>()
  private busy = false
  /** Height before which no check is needed. */
  private lookFrom = 0
  private readonly stop: () => void

  constructor(
    private readonly services: NodeServices,
    private readonly logger: Logger,
  ) {
    this.stop = services.onCommit(() => this.look())
    this.look()
  }

  close(): void {
    this.stop()
  }

  private look(): void {
    if (this.busy || this.services.height() < this.lookFrom || !this.services.queries().has(queries.stakingDuty.kind))
      return
    this.busy = true
    this.send()
      .catch((error: unknown) => this.logger.warn({ error: String(error) }, 'cannot send a duty of the validator'))
      .finally(() => {
        this.busy = false
      })
  }

  private async send(): Promise<void> {
    const { services } = this
    const owed = await services.query(queries.stakingDuty, { account: services.validatorSigner.account })
    this.lookFrom = owed === undefined ? services.height() + IDLE_BLOCKS : 0
    for (const duty of owed?.duties ?? []) {
      if (owed === undefined) return
      const name = `${owed.epoch} ${duty}`
      const height = services.height()
      if ((this.sentAt.get(name) ?? Number.NEGATIVE_INFINITY) + RESEND_BLOCKS > height) continue
      const instruction = await this.instructionOf(duty, owed)
      if (instruction === undefined) continue
      this.sentAt.set(name, height)
      await this.submit(instruction, duty, owed.epoch)
    }
    for (const name of this.sentAt.keys())
      if (owed === undefined || !name.startsWith(`${owed.epoch} `)) this.sentAt.delete(name)
  }

  /** Reveal of an epoch. It is constant, because the key of a seat does not change within an epoch. */
  private async revealFor({ epoch, key }: DutyView): Promise<Buffer | undefined> {
    const { validatorSigner } = this.services
    if (key === undefined || !validatorSigner.keys.includes(key)) return undefined
    const signature = await validatorSigner.reveal(key, epoch)
    return signature === undefined ? undefined : revealOf(signature)
  }

  private async instructionOf(duty: string, owed: DutyView): Promise<Instruction | undefined> {
    const { epoch, validator, header } = owed
    if (duty === 'attestReady') {
      return header === undefined ? undefined : instruction(instructions.attestReady, header)
    }
    const reveal = await this.revealFor(owed)
    if (reveal === undefined) return undefined
    if (duty === 'revealRandomness') return instruction(instructions.revealRandomness, { epoch, reveal })
    const commitment = commitmentOf({ chainHash: this.services.info.chainHash, epoch, validator }, reveal)
    return instruction(instructions.commitRandomness, { epoch, commitment })
  }

  private async submit(instruction: Instruction, duty: string, epoch: number): Promise<void> {
    const { services } = this
    const { account, key, sign } = services.validatorSigner
    const { bytes } = sealTransaction(
      {
        chain: services.info.chain,
        authority: account,
        createdAtMs: Date.now(),
        ttlMs: Math.min(TTL_MS, services.maxTtlMs()),
        nonce: randomBytes(NONCE_BYTES).readUIntBE(0, 4),
        executable: { kind: 'instructions', value: [instruction] },
        metadata: NO_METADATA,
        dataspace: undefined,
      },
      services.info.codec,
      key,
      sign,
    )
    const answer = await services.submit(bytes)
    if (answer.ok) this.logger.info({ epoch, duty }, 'duty of the validator sent')
    else this.logger.warn({ epoch, duty, code: answer.error.code }, 'duty of the validator refused')
  }
}
