import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { hashOf } from '../../../src/cli/lane/lane.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { pairs } from '../../../src/cli/terminal/output.js'
import type { CommitteeAnchor } from '../../../src/lanes/envelope.js'

export default class LaneEnvelopeVerify extends BaseCommand {
  static override description = `Verify a relay envelope without a node: committee, certificate, lane, settlement.
Trust comes from a signed genesis, if its validators are still current, or from the hash of the height's committee.
Exits 10 and prints the fault if it is invalid.`
  static override examples = [
    '<%= config.bin %> lane envelope verify settlement.envelope --genesis genesis.signed',
    '<%= config.bin %> lane envelope verify settlement.envelope --committee 4be1...',
  ]
  static override args = {
    file: Args.string({ description: 'envelope, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    genesis: Flags.string({ description: 'signed genesis of its chain', helpValue: 'FILE' }),
    committee: Flags.string({ description: 'hash of the committee of its height', helpValue: 'HASH' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneEnvelopeVerify)
    const { genesis, committee } = flags
    if ((genesis === undefined) === (committee === undefined)) {
      throw usageError('no trust anchor: give --genesis FILE or --committee HASH')
    }
    const trusted = committee === undefined ? undefined : hashOf(committee, '--committee')
    const { readEnvelope, verifyEnvelope } = await import('../../../src/cli/lane/envelope.js')
    const envelope = await readEnvelope(args.file)
    this.out.result(...shown(verifyEnvelope(envelope, await this.anchor(genesis, trusted))))
  }

  private async anchor(genesis: string | undefined, committee: string | undefined): Promise<CommitteeAnchor> {
    if (genesis === undefined) {
      const trusted = Buffer.from(committee ?? '', 'hex')
      return () => trusted
    }
    const { genesisAnchor } = await import('../../../src/cli/lane/envelope.js')
    const { NEWEST_ABI } = await import('../../../src/features/abi.js')
    const { readGenesisFile } = await import('../../../src/node/genesis/index.js')
    return genesisAnchor(await readGenesisFile(NEWEST_ABI, genesis))
  }
}

const shown = (view: Record<string, unknown>): [Record<string, unknown>, string] => [
  view,
  pairs(Object.entries(view).map(([name, value]) => [name.replaceAll('_', ' '), String(value)])),
]
