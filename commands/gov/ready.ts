import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { getView, textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovReady extends LedgerCommand {
  static override description =
    `Attest that a node has the newest ABI of its release. Once governance is founded, an upgrade needs a quorum of validators with its ABI.
The gateway must be the one of the node. The key must be the elector of the validator, or the account of its network key.`
  static override examples = [
    '<%= config.bin %> gov ready --gateway http://127.0.0.1:8081 --key-file val-1/keys/network.json',
    '<%= config.bin %> gov ready --peer ae12… --key-file alice.json',
  ]
  static override flags = {
    peer: Flags.string({ description: 'validator (default: the node of the gateway)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(GovReady)
    await this.send(flags, async ({ client, read, remark }) => {
      const newest = viewsOf((await getView(client, ({ upgrades }) => upgrades.abis)).items).at(-1)
      if (newest === undefined) throw new Error('a node has at least one ABI')
      const abi = Number(newest.abi_version)
      const hash = textOf(newest.abi_hash) ?? ''
      const peer = flags.peer ?? (await client.chain()).validatorKey
      remark(`the node of ${peer} has ABI ${abi}, ${hash}`)
      return [read(instructions.attestAbi, { peer, abi, hash })]
    })
  }
}
