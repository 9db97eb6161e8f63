import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { codecFlags } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'

export default class RegistryVerify extends BaseCommand {
  static override description = `Verify an archive against a release of a package and its attestations.
The release is proven against the pinned genesis hash, so no gateway is trusted. With --proof no node is needed: the file is the
response of GET /v1/ledger/state-proof for the row of the release. Exits 10 if the archive or a proof is invalid.`
  static override examples = [
    '<%= config.bin %> registry verify kit.tgz bank/kit@1.0.0',
    '<%= config.bin %> registry verify kit.tgz bank/kit@1.0.0 --proof release.json --genesis-hash 5f0c…',
  ]
  static override args = {
    file: Args.string({ description: 'archive', required: true, ignoreStdin: true }),
    release: Args.string({ description: 'release, as domain/name@version', required: true, ignoreStdin: true }),
  }
  static override flags = {
    proof: Flags.string({
      description: 'proof of the release, for verification without a node',
      helpValue: 'FILE',
      dependsOn: ['genesis-hash'],
    }),
    'genesis-hash': Flags.string({ description: 'trusted genesis block hash', dependsOn: ['proof'] }),
    ...codecFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryVerify)
    const { releaseOfText } = await import('../../src/cli/registry/release.js')
    const { verifiedArchive, releaseInProof, releaseOnline } = await import('../../src/cli/registry/verify.js')
    const key = releaseOfText(args.release)
    const { proof, 'genesis-hash': digits, 'address-prefix': addressPrefix } = flags
    const release =
      proof === undefined
        ? await releaseOnline(await this.settings(flags), key)
        : await releaseInProof(proof, digits ?? '', addressPrefix, key)
    const view = await verifiedArchive(args.file, key, release)
    this.out.result(
      view,
      pairs([
        ['release', args.release],
        ['archive', view.valid ? 'matches' : `differs: ${view.sha256}`],
        ['attestations', view.attested_by.length === 0 ? 'none' : view.attested_by.join(' ')],
        ['proven at height', String(view.height)],
        ['warning', view.warning ?? undefined],
      ]),
    )
    if (!view.valid) this.exitWith(EXIT.checkFailed)
  }
}
