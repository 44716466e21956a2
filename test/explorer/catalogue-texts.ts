/** The texts of a catalogue by key. Functions get `word` for every parameter. */
export function* textsOf(node: unknown, word: string, name = ''): Generator<readonly [string, string]> {
  if (typeof node === 'string') yield [name, node];
  else if (typeof node === 'function')
    yield* textsOf(node(...Array.from({ length: node.length }, () => word)), word, name);
  else if (typeof node === 'object' && node !== null)
    for (const [key, value] of Object.entries(node))
      yield* textsOf(value, word, name === '' ? key : `${name}.${key}`);
}
