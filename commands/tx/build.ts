import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { binaryFlag } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'

export default class TxBuild extends BaseCommand {
  static override description =
    `Build an unsigned transaction from instructions in JSON: one, a list, or {"instructions": [...]}.
Prints its JSON form, or its canonical bytes with --binary, for \`tx sign\`. The authority is --account, or the account of
the key; no secret is used. With --chain and an address as --account no node is contacted.`
  static override examples = [
    '<%= config.bin %> tx build instructions.json --account alice@bank > payload.json',
    '<%= config.bin %> tx build pay.json --key-file alice.json | <%= config.bin %> tx sign - --key-file alice.json | <%= config.bin %> tx submit -',
    '<%= config.bin %> tx build pay.json --chain demo --account cw1... --ttl 1h --teu-limit 500',
  ]
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    account: accountFlag({ description: 'authority, address or alias (default: account of the key)' }),
    chain: Flags.string({ description: 'chain to build for, instead of the chain of the node' }),
    ttl: Flags.string({ description: 'time to live, such as 2m', default: '2m' }),
    nonce: Flags.integer({ description: 'number that distinguishes equal transactions (default: random)', min: 0 }),
    dataspace: Flags.integer({ description: 'dataspace that it must run in', min: 0 }),
    'teu-limit': Flags.integer({ description: 'maximum execution units', min: 1 }),
    'fee-sponsor': accountFlag({ description: 'address of the account that pays the fee' }),
    metadata: Flags.string({ description: 'key=value; the value may be JSON', multiple: true }),
    ...binaryFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxBuild)
    const { parseLedgerDuration } = await import('../../src/cli/input/duration.js')
    const { draftOf } = await import('../../src/cli/transaction/draft.js')
    const { instructionsOfFile, metadataOf } = await import('../../src/cli/ledger/forms.js')
    const { printTransaction } = await import('../../src/cli/transaction/file.js')
    const jsonForms = await instructionsOfFile(args.file)
    const fees = { teu_limit: flags['teu-limit'], fee_sponsor: flags['fee-sponsor'] }
    const given = Object.entries(fees).filter((row): row is [string, string | number] => row[1] !== undefined)
    const { payload, codec } = await draftOf(await this.settings(flags), jsonForms, {
      account: flags.account,
      chain: flags.chain,
      ttlMs: parseLedgerDuration(flags.ttl, '--ttl'),
      nonce: flags.nonce,
      dataspace: flags.dataspace,
      metadata: { ...(metadataOf(flags.metadata) as object), ...Object.fromEntries(given) },
    })
    printTransaction(this.out, { payload, codec, signed: undefined }, flags.binary)
  }
}
