import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { signedFormFlags, yesFlag } from '../../src/cli/command/flags.js'

export default class TxSign extends BaseCommand {
  static override description =
    `Sign a transaction built by \`tx build\`, and print the signed record for \`tx submit\`.
Shows its content, and asks for confirmation on a terminal unless --yes. No node is contacted, so the key can stay on an offline
machine. For a multisig account each member signs in turn:
the first gives the policy as --policy, the others sign the file that they receive.`
  static override examples = [
    '<%= config.bin %> tx sign payload.json --key-file alice.json > signed.json',
    '<%= config.bin %> tx build pay.json --account alice@bank | <%= config.bin %> tx sign - --key-file alice.json --binary > signed.bin',
    '<%= config.bin %> tx sign payload.json --key-file alice.json --frame | curl --data-binary @- -H "content-type: application/x-causeway" http://127.0.0.1:8080/transaction',
    '<%= config.bin %> tx sign call.json --manifest token.json --key-file alice.json > signed.json',
    '<%= config.bin %> tx sign board.json --policy policy.json --key-file alice.json | <%= config.bin %> tx sign - --key-file bob.json',
  ]
  static override args = {
    file: Args.string({ description: 'transaction, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    policy: Flags.string({ description: 'weight rules of a multisig account as JSON', helpValue: 'FILE' }),
    manifest: Flags.string({
      description:
        'contract that `contract show --json` wrote: its calls are shown with their arguments; may be repeated',
      multiple: true,
      helpValue: 'FILE',
    }),
    ...yesFlag,
    ...signedFormFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxSign)
    const { decodedView } = await import('../../src/cli/transaction/decode.js')
    const { manifestsOf, withoutManifest } = await import('../../src/cli/contract/manifest-file.js')
    const { NO_NAMES } = await import('../../src/cli/gateway/directory.js')
    const { InstructionReader } = await import('../../src/cli/transaction/instructions.js')
    const { reviewed } = await import('../../src/cli/transaction/review.js')
    const { signRead } = await import('../../src/cli/transaction/sign.js')
    const { frameOf, printTransaction, readTransaction } = await import('../../src/cli/transaction/file.js')
    const { signingKey } = await import('../../src/cli/settings/key.js')
    const settings = await this.settings(flags)
    const pair = await signingKey(settings)
    const read = await readTransaction(args.file)
    const { expires, instructions, payload } = await decodedView(read)
    const manifests = await manifestsOf(flags.manifest ?? [], read.codec)
    const reader = new InstructionReader(read.codec, NO_NAMES, manifests)
    const more = withoutManifest(instructions, manifests).map(
      (address) =>
        `arguments for ${address} are shown as bytes: write its manifest with \`contract show ${address} --json\` and pass it as --manifest`,
    )
    const review = { chain: payload.chain, authority: payload.authority, expires, instructions, reader, more }
    await reviewed(this.out, review, flags, settings, true)
    const signed = await signRead(read, pair, flags.policy)
    this.out.note(`signed ${read.id.toString('hex')}`)
    if (flags.frame) return this.out.raw(await frameOf(signed, read.codec))
    printTransaction(this.out, { ...read, signed }, flags.binary)
  }
}
