import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { confirm } from '../../../src/cli/confirm.js'
import { writeFlags } from '../../../src/cli/flags.js'

export default class LedgerPeerDisableKey extends BaseCommand {
  static override description =
    `Disable a consensus key for good, for example one that was lost: it signs nothing from two heights on.
A peer without another key then has no vote. Needs CanManageConsensusKeys, or the account of the peer's network key.`
  static override examples = ['<%= config.bin %> ledger peer disable-key ea0130... --key-file admin.json --yes']
  static override args = {
    key: Args.string({ description: 'consensus key (ea0130...), or its key file', required: true, ignoreStdin: true }),
  }
  static override flags = {
    force: Flags.boolean({
      description: 'although fewer than the quorum of those who stay signed lately',
      default: false,
    }),
    yes: Flags.boolean({ description: 'do not ask' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerPeerDisableKey)
    const { peerKeyOf } = await import('../../../src/node/genesis/index.js')
    const { submitInstructions } = await import('../../../src/cli/submit.js')
    const key = await peerKeyOf(args.key)
    if (!flags.yes) await confirm(`The key ${key} never signs again.`, 'disable', flags['no-input'])
    const context = {
      settings: await this.settings(flags),
      out: this.out,
      silent: this.silent,
      wait: flags.wait,
      dryRun: flags['dry-run'],
    }
    await submitInstructions(context, () => [{ DisableConsensusKey: { key, force: flags.force } }])
  }
}
