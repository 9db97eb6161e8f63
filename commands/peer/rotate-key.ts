import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { readKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions as peers } from '../../src/features/peers/schema.js'

export default class PeerRotateKey extends LedgerCommand {
  static override description =
    `Replace the consensus key of a validator without a pause: the old and the new key overlap.
First create the new key (key generate --algorithm bls), set keys.next_validator in the configuration and restart the
node; then run this. The new key is active two heights later, or from --from-height. Needs CanManageConsensusKeys, or the
account of the peer's network key.`
  static override examples = [
    '<%= config.bin %> peer rotate-key bank-a/card.json --new-key bank-a/keys/validator-2.json --key-file admin.json',
  ]
  static override args = {
    peer: Args.string({
      description: 'card, or registered validator key',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    'new-key': Flags.string({ description: 'key file of the new BLS key', required: true }),
    'from-height': Flags.integer({ description: 'first height of the new key', min: 1 }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PeerRotateKey)
    const { peerKeyOf } = await import('../../src/node/genesis/index.js')
    const { createPop } = await import('../../src/crypto/bls-pop.js')
    const { formatPublicKey } = await import('../../src/crypto/keys.js')
    const peer = await peerKeyOf(args.peer)
    const pair = await readKey(flags['new-key'])
    if (pair.publicKey.algorithm !== 'bls') throw usageError(`--new-key ${flags['new-key']}: expected a BLS key`)
    const rotation = {
      peer,
      new_key: formatPublicKey(pair.publicKey),
      pop: createPop(pair.secret).toString('hex'),
      active_from: flags['from-height'] ?? null,
    }
    await this.send(flags, ({ read }) => [read(peers.rotateConsensusKey, rotation)])
  }
}
