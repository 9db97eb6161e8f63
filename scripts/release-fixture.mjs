// Keeps a release for the tests of its successors: `node scripts/release-fixture.mjs`, once per release, after a build. Into
// a folder of test/fixtures that has its version in its name go the package as npm packs it, the folder of a network of one validator that the packed program made
// payments on, and what they came to.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { NEWEST_ABI } from '../dist/src/features/abi.js'
import { freePorts } from '../dist/test/support/ports.js'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const target = join('test', 'fixtures', `release-${version}`)
if (existsSync(target)) throw new Error(`${target} is there: a release is kept once, as it was`)

const folder = mkdtempSync(join(tmpdir(), 'causeway-release-'))
const tar = (...words) => execFileSync('tar', ['--owner=0', '--group=0', ...words])
try {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { stdio: 'ignore' })
  const packed = `${name}-${version}.tgz`
  execFileSync('tar', ['xzf', join(folder, packed), '-C', folder])
  symlinkSync(resolve('node_modules'), join(folder, 'package', 'node_modules'))
  const causeway = (...words) =>
    execFileSync(process.execPath, [join(folder, 'package', 'bin', 'run.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder },
    })

  const port = await freePorts(2)
  const gateway = ['--gateway', `http://127.0.0.1:${port}`]
  const up = [
    'localnet',
    'up',
    '--dir',
    'net',
    '--peers',
    '1',
    '--gateway-port',
    `${port}`,
    '--p2p-port',
    `${port + 1}`,
  ]
  causeway(...up, '--quiet')
  const pay = (payer, to, amount) => {
    const key = ['--key-file', join('net', 'dev-only-keys', `${payer}.json`)]
    causeway('asset', 'transfer', ...key, '--to', to, '--asset', 'eur#bank', '--amount', amount, ...gateway)
  }
  for (const amount of ['1.50', '20.00', '0.01']) pay('alice', 'bob@bank', amount)
  pay('bob', 'alice@bank', '5.00')
  writeFileSync(join(folder, 'message.xml'), causeway('iso', 'template', 'pacs008'))
  causeway('iso', 'submit', 'pacs008', 'message.xml', ...gateway)
  const { status, consensus } = JSON.parse(causeway('status', '--json', ...gateway))
  const balances = (account) => {
    const { items } = JSON.parse(causeway('api', 'GET', `/v1/accounts/${account}/assets`, ...gateway))
    return Object.fromEntries(items.map(({ definition, amount }) => [definition, amount]))
  }
  const record = {
    version,
    abiHash: NEWEST_ABI.hash.toString('hex'),
    chain: status.chain,
    height: consensus.height,
    stateRoot: consensus.state_root,
    balances: { 'alice@bank': balances('alice@bank'), 'bob@bank': balances('bob@bank') },
    ports: { gateway: port, links: port + 1 },
  }
  causeway('localnet', 'down', '--dir', 'net')

  mkdirSync(target, { recursive: true })
  cpSync(join(folder, packed), join(target, packed))
  const logs = ['node.log', 'node.pid', 'output.txt'].map((file) => `--exclude=${file}`)
  tar('-czf', join(target, 'network.tgz'), '-C', folder, ...logs, 'net')
  writeFileSync(join(target, 'record.json'), `${JSON.stringify(record, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
