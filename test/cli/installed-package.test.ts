/** The package as npm installs it: no warning, a bounded folder, and what is installed beside it for traces. */
import { execFileSync, spawnSync } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { freePorts } from '../support/ports.js'
import { causeway, ROOT } from './run.js'

/** Maximum disk space of an installation on Linux, in bytes: some 100 MiB, half of them binaries of three packages. */
const INSTALLED_MAX_BYTES = 120 * 1024 * 1024
/** Minimum size of a file system block, in bytes. */
const BLOCK_BYTES = 4_096

const settingOf = (key: string): string => execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim()

/** Environment of npm for a user who has configured nothing but a registry. */
function npmEnvironment(home: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  return {
    ...Object.fromEntries(others),
    HOME: home,
    NO_COLOR: '1',
    npm_config_cache: settingOf('cache'),
    npm_config_registry: settingOf('registry'),
  }
}

/** Why nothing can be installed; a run that counts skips nothing for want of the registry. */
function registryMissing(): string | undefined {
  if (process.env.CI === 'true') return undefined
  const { status } = spawnSync('npm', ['view', 'undici', 'version'], { cwd: tmpdir() })
  return status === 0 ? undefined : 'no registry of npm can be reached'
}

/** Bytes of all files below a folder, in whole blocks. */
async function diskBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(entries.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 0)
}

describe('the installed package', needs(registryMissing()), () => {
  let folder: string
  /** A project that has the package. */
  let project: string
  let program: string
  let printed: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-installed-'))
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }))
    project = join(folder, 'project')
    const home = join(folder, 'home')
    await mkdir(project)
    await mkdir(home)
    await writeFile(join(project, 'package.json'), '{ "private": true }')
    const done = spawnSync('npm', ['install', join(folder, filename)], {
      cwd: project,
      env: npmEnvironment(home),
      encoding: 'utf8',
    })
    printed = `${done.stdout}${done.stderr}`
    expect(done.status, printed).toBe(0)
    program = join(project, 'node_modules', 'causeway', 'bin', 'run.js')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('installs without a warning', () => {
    expect(printed).toContain('added ')
    expect(printed).not.toMatch(/warn|deprecated|script/i)
  })

  it('is within its size limit, and contains no tracing library', async () => {
    expect(await diskBytes(join(project, 'node_modules'))).toBeLessThan(INSTALLED_MAX_BYTES)
    expect(await readdir(join(project, 'node_modules', '@opentelemetry'))).toEqual(['api'])
  })

  it('reports the missing package if tracing is enabled, and starts a node once that package is installed', async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const [[name = '', version] = []] = Object.entries<string>(peerDependencies)
    const dir = join(folder, 'network')
    const run = (...words: string[]) =>
      causeway(words, { executable: program, cwd: folder, env: { HOME: join(folder, 'home') } })
    const [gateway, links] = [await freePorts(1), await freePorts(1)]
    const ports = ['--gateway-port', String(gateway), '--p2p-port', String(links)]
    const up = await run('localnet', 'up', '--peers', '1', '--dir', dir, ...ports)
    try {
      expect(up.code, up.stderr).toBe(0)
      expect((await run('localnet', 'down', '--dir', dir)).code).toBe(0)
      const config = join(dir, 'val-0', 'node.toml')
      const text = await readFile(config, 'utf8')
      await writeFile(config, text.replace('[traces]\n', '[traces]\nendpoint = "http://127.0.0.1:9/v1/traces"\n'))

      const refused = await run('node', 'start', '--config', config)
      expect(refused.code).toBe(3)
      expect(refused.stderr).toContain(`cannot send traces to traces.endpoint: ${name} is not installed`)
      expect(refused.stderr).toContain(`npm install ${name}@${version}`)

      // As npm lays it out beside the program; what it depends on is found from there.
      await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
      const again = await run('localnet', 'up', '--dir', dir)
      expect(again.code, again.stderr).toBe(0)
    } finally {
      await run('localnet', 'down', '--dir', dir)
    }
  })
})
