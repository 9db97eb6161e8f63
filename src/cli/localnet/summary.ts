/** Owns the summary of a running local network. */
import { relative } from 'node:path'
import { shortId } from '../../base/ids.js'
import { DEFAULT_LOCALNET, type Localnet } from '../settings/localnet-record.js'
import { pairs, table } from '../terminal/output.js'
import { shellWord } from '../text/shell.js'
import type { LocalnetStatus } from './status.js'

/** Path as typed in a shell of this folder, quoted if needed. */
export const typed = (path: string): string => {
  const short = relative(process.cwd(), path)
  return shellWord(short === '' || short.startsWith('..') ? path : short)
}

/** Flag that selects this network; empty for the default folder. */
export const dirHint = (net: Localnet): string => {
  const folder = typed(net.folder)
  return folder === DEFAULT_LOCALNET ? '' : ` --dir ${folder}`
}

/**
 * Summary of a network that was just started. `gateway` is the default gateway of commands; the printed commands name
 * their own gateway unless the default belongs to this network.
 */
export function upText(
  net: Localnet,
  status: LocalnetStatus,
  quorum: { readonly validators: number; readonly faults: number; readonly quorum: number },
  gateway: string,
): string {
  const { validators } = quorum
  const observers = net.peers.length - validators
  const dir = dirHint(net)
  const own = net.peers[0]?.gateway ?? ''
  const at = gateway === own ? '' : ` --gateway ${own}`
  return [
    pairs([
      ['chain', net.chain],
      ['genesis hash', net.genesisHash],
      ['validators', `${validators}, quorum ${quorum.quorum}, survives ${quorum.faults} faulty`],
      ...(observers === 0 ? [] : [['observers', String(observers)] as const]),
      ['folder', typed(net.folder)],
      ['logs', `${typed(net.folder)}/${net.peers[0]?.name ?? 'val-0'}/node.log, ...`],
    ]),
    '',
    statusTable(status),
    '',
    'Accounts, DEV ONLY: their keys are stored unencrypted in the folder',
    table(
      ['ALIAS', 'ADDRESS', 'KEY FILE'],
      net.accounts.map((one) => [one.alias, one.address, typed(one.keyFile)]),
    ),
    '',
    'Next:',
    `  causeway watch${gateway === own ? '' : ` --dir ${typed(net.folder)}`}`,
    `  causeway localnet status${dir}`,
    `  causeway asset transfer${at} --key-file ${typed(keyOf(net, 'alice'))} --to bob@bank --asset eur#bank --amount 1.50`,
    `  causeway localnet down${dir}`,
  ].join('\n')
}

const keyOf = (net: Localnet, name: string): string =>
  (net.accounts.find((one) => one.name === name) ?? net.accounts[0])?.keyFile ?? 'KEY'

/** One line per peer. */
export const statusTable = (status: LocalnetStatus): string =>
  table(
    ['PEER', 'GATEWAY', 'STATE', 'PID', 'HEIGHT', 'BLOCK', 'STATE ROOT'],
    status.peers.map((one) => [
      one.name,
      one.gateway,
      [
        one.running ? (one.height === null ? 'no answer' : 'up') : 'down',
        ...(one.links === null ? [] : [one.links]),
      ].join(', '),
      one.pid === null ? '-' : String(one.pid),
      one.height === null ? '-' : String(one.height),
      one.block_hash === null ? '-' : shortId(one.block_hash),
      one.state_root === null ? '-' : shortId(one.state_root),
    ]),
  )

/** JSON of a network with its state. */
export const upJson = (net: Localnet, status: LocalnetStatus, quorum: { faults: number; quorum: number }) => ({
  ...status,
  quorum,
  accounts: net.accounts.map((one) => ({
    name: one.name,
    alias: one.alias,
    address: one.address,
    key_file: one.keyFile,
    dev_only: true,
  })),
})
