// Finds circles between the folders inside a layer: files of a layer may be acyclic while its folders are not.

/**
 * Room of a source file: its layer and the folder below it, or the part of a feature. Files directly in a layer compose its folders and
 * have none.
 */
export function roomOf(file) {
  const [, room] = /^(src\/features\/[^/]+\/[^/]+|src\/(?!features\/)[^/]+\/[^/]+)\/.+$/.exec(file) ?? []
  return room
}

const layerOf = (room) => room.slice(0, room.lastIndexOf('/'))

/**
 * Circles between rooms of one layer.
 *
 * @param {readonly (readonly [from: string, to: string])[]} imports pairs of files
 * @returns {string[][]} the rooms of each circle, in the order of their imports
 */
export function folderCircles(imports) {
  const rooms = new Map()
  for (const [from, to] of imports) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (a === undefined || b === undefined || a === b || layerOf(a) !== layerOf(b)) continue
    if (!rooms.has(a)) rooms.set(a, new Set())
    rooms.get(a).add(b)
  }
  const circles = []
  const done = new Set()
  const visit = (room, path) => {
    const at = path.indexOf(room)
    if (at >= 0) return void circles.push(path.slice(at))
    if (done.has(room)) return
    for (const next of rooms.get(room) ?? []) visit(next, [...path, room])
    done.add(room)
  }
  for (const room of [...rooms.keys()].sort()) visit(room, [])
  return circles
}
