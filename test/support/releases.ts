/** Owns earlier releases as stored by `scripts/release-fixture.mjs`: their records, their networks, their programs. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../cli/run.js'

/** Stored record of a release. */
export interface Release {
  readonly version: string
  readonly abiHash: string
  readonly chain: string
  readonly height: number
  readonly stateRoot: string
  /** Amounts by account and asset definition. */
  readonly balances: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly ports: { readonly gateway: number; readonly links: number }
}

const FIXTURES = join(ROOT, 'test', 'fixtures')

const fixtureOf = (version: string): string => join(FIXTURES, `release-${version}`)
const unpack = (archive: string, folder: string): void => void execFileSync('tar', ['xzf', archive, '-C', folder])

/** Every stored release, oldest name first. */
export const RELEASES: readonly Release[] = readdirSync(FIXTURES)
  .map((name) => join(FIXTURES, name, 'record.json'))
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Release)

/** Unpack the network of a release into a folder; returns the folder of the network. */
export function unpackNetwork(version: string, folder: string): string {
  unpack(join(fixtureOf(version), 'network.tgz'), folder)
  return join(folder, 'net')
}

/** Unpack the program of a release into a folder, with the current modules beside it; returns the entry for `node`. */
export async function unpackProgram(version: string, folder: string): Promise<string> {
  unpack(join(fixtureOf(version), `causeway-${version}.tgz`), folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'package', 'node_modules'))
  return join(folder, 'package', 'bin', 'run.js')
}
