import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import {
  attestationOf,
  manifestOfArchive,
  packageArg,
  provenanceFlags,
  versionArg,
} from '../../src/cli/registry/release.js'
import { signingKey } from '../../src/cli/settings/key.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'
import { instruction } from '../../src/model/index.js'

export default class RegistryPublish extends LedgerCommand {
  static override description =
    `Publish a release of a package: the digest of its archive, its manifest, and an attestation of its build.
The key must be one of a maintainer. The archive itself stays with you. A version is never reused.
Ranges of dependencies become comparators: ^1.2 is >=1.2.0 and <2.0.0-0. In the manifest, a dependency has a range or alternatives.`
  static override examples = [
    '<%= config.bin %> registry publish bank/kit 1.0.0 kit.tgz --license MIT --key-file admin.json',
    "<%= config.bin %> registry publish bank/kit 1.1.0 kit.tgz --dependency 'bank/log@^1.2' --key-file admin.json",
    '<%= config.bin %> registry publish bank/kit 1.1.0 kit.tgz --manifest release.json --key-file admin.json',
  ]
  static override args = {
    package: packageArg,
    version: versionArg,
    file: Args.string({ description: 'archive of the release', required: true, ignoreStdin: true }),
  }
  static override flags = {
    manifest: Flags.string({ description: 'JSON with dependencies, exports and hashes', helpValue: 'FILE' }),
    dependency: Flags.string({
      description: 'package that the release needs at run time, with a range of versions as npm writes it',
      helpValue: 'PACKAGE@RANGE',
      multiple: true,
    }),
    license: Flags.string({ description: 'SPDX licence expression', default: '' }),
    description: Flags.string({ description: 'short description', default: '' }),
    ...provenanceFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryPublish)
    const { package: id, version, file } = args
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const given = flags.manifest === undefined ? {} : await readJsonInput(flags.manifest)
    const manifest = await manifestOfArchive(file, given, flags)
    const settings = await this.settings(flags)
    const subject = { package: id, version, sha256: manifest.archive.sha256 }
    const attestation = await attestationOf(flags, subject, () => signingKey(settings))
    await this.send(flags, () => [
      instruction(registry.publishRelease, { package: id, version, manifest, attestation }),
    ])
  }
}
