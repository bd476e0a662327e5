/**
 * Texts for the block bench: seeded random text of a model in prefill mode.
 *
 * An exchange is an answer, some thinking, tool calls with string, number, boolean and JSON values,
 * and their results. A tag comes every few hundred characters. Five kinds: `ascii`; `cjk`, where a
 * tenth of the characters are Chinese or Japanese (V8 then keeps the text in two bytes a character); and
 * `angle`, full of `<` that start none of our tags: comparisons, HTML, generics; `prose`, where the answer is
 * long and an exchange has at most one call; `calls`, where calls with short values follow each other.
 */

export const WORDS = `the of and to in is that for it was on are with as be this have from or had by not but what
all were when we there can an your which their said if do will each about how up out them then she many some
so these would other into has more her two like him see time could no make than first been its who now people
my made over did down only way find use may water long little very after words called just where most know
parser stream token chunk buffer server request weather forecast temperature average rainfall coast report`
  .split(/\s+/)

const CJK = '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民様'

const ANGLE = [
  'if (a < b && b <= c)', 'x<y', 'i < n', '<div class="note">', '</div>', '<b>bold</b>', '<i>it</i>', '<p>', '</p>',
  '<table>', '</table>', '<title>T</title>', '<form action="/f">', '<input type="text">', '<img src="a.png"/>',
  'Map<string, Array<T>>', 'Promise<void>', 'List<Integer>', 'vector<int>', 'f<T extends U>()', '1 << 4', 'cout << x',
  '<!-- note -->', '<a href="#top">', '</a>', '<=>', '<-', '<T>', '<span>', '</span>', 'Option<&str>', '<footer>', '< 3',
]

const TOOLS = ['search', 'get_weather', 'read_file', 'run_query', 'send_message', 'list_directory']
const KEYS = ['query', 'path', 'limit', 'filter', 'body', 'city', 'unit', 'options']

/** A generator of numbers in [0, 1), always the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function writer(kind, seed) {
  const next = random(seed)
  const below = (n) => Math.floor(next() * n)
  const pick = (list) => list[below(list.length)]

  function word() {
    // The odds are chosen so that a tenth of the characters of the whole text are CJK.
    if (kind === 'cjk' && next() < 0.142) {
      let run = ''
      for (let i = 2 + below(5); i > 0; i--) run += CJK[below(CJK.length)]
      return run
    }
    if (kind === 'angle' && next() < 0.3) return pick(ANGLE)
    return pick(WORDS)
  }

  function prose(length) {
    let text = ''
    while (text.length < length) {
      let sentence = word()
      for (let i = 5 + below(14); i > 0; i--) sentence += (next() < 0.06 ? ', ' : ' ') + word()
      text += sentence[0].toUpperCase() + sentence.slice(1) + pick(['. ', '. ', '. ', '? ', '.\n', '.\n\n'])
    }
    return text
  }

  const phrase = () => `${word()} ${word()} ${word()}`

  function value() {
    switch (below(8)) {
      case 0:
        return String(below(10_000))
      case 1:
        return (next() * 200 - 100).toFixed(3)
      case 2:
        return pick(['true', 'false', 'null'])
      case 3:
        return JSON.stringify({ city: phrase(), days: below(14), tags: [phrase(), below(9), null, next() < 0.5] })
      case 4:
        return JSON.stringify([phrase(), { key: phrase(), deep: { value: below(100) } }, -1.5e3], null, 2)
      case 5:
        return `Line one "quoted" ${phrase()}\n${prose(400 + below(600))}`
      default:
        return `Find ${prose(60 + below(240))}`
    }
  }

  function call() {
    let text = `<invoke name="${pick(TOOLS)}">\n`
    for (let i = 1 + below(3); i > 0; i--) text += `<parameter name="${KEYS[(i * 3 + below(2)) % KEYS.length]}">${value()}</parameter>\n`
    return `${text}</invoke>\n`
  }

  /** An exchange that is nearly all answer. */
  function answer(id) {
    const text = prose(6_000 + below(6_000))
    if (next() < 0.5) return `${text}<thinking>${prose(300 + below(600))}</thinking>\n\n`
    return `${text}<function_calls>\n${call()}</function_calls>\n<function_results>\n<result tool_use_id="toolu_${id}">${prose(200)}</result>\n</function_results>\n`
  }

  /** An exchange that is nearly all calls. */
  function calls(id) {
    let made = ''
    let results = ''
    for (let i = 0; i < 4; i++) {
      made += `<invoke name="${pick(TOOLS)}">\n<parameter name="query">${phrase()}</parameter>\n<parameter name="limit">${below(100)}</parameter>\n<parameter name="options">${JSON.stringify({ unit: word(), all: next() < 0.5 })}</parameter>\n</invoke>\n`
      results += `<result tool_use_id="toolu_${id}_${i}">${phrase()}</result>\n`
    }
    return `${phrase()}\n<function_calls>\n${made}</function_calls>\n<function_results>\n${results}</function_results>\n`
  }

  function exchange(id) {
    let text = prose(400 + below(900))
    text += `<thinking>${prose(700 + below(1800))}</thinking>`
    text += `\n\n${prose(200 + below(600))}\n\n`
    if (next() < 0.7) {
      let results = ''
      text += '<function_calls>\n'
      for (let i = 0, calls = 1 + below(2); i < calls; i++) {
        text += call()
        results += `<result tool_use_id="toolu_${id}_${i}">${prose(500 + below(1200))}a &lt; b &amp;&amp; c${prose(100)}</result>\n`
      }
      text += `</function_calls>\n<function_results>\n${results}</function_results>\n`
    }
    return text + prose(300 + below(700))
  }

  return kind === 'prose' ? answer : kind === 'calls' ? calls : exchange
}

/** A text of exactly `size` UTF-16 units; the end cuts off the last exchange. */
export function corpus(kind, size, seed = 1) {
  if (!KINDS.includes(kind)) throw new TypeError(`corpus ${kind}: there are ${KINDS.join(', ')}`)
  const exchange = writer(kind, seed)
  const pieces = []
  let length = 0
  for (let id = 0; length < size; id++) {
    const piece = exchange(id)
    pieces.push(piece)
    length += piece.length
  }
  return pieces.join('').slice(0, size)
}

export const KINDS = ['ascii', 'cjk', 'angle', 'prose', 'calls']

/**
 * The text in chunks of `size` UTF-16 units.
 *
 * Each chunk is a separate flat string, with one byte per character if possible, as in JSON from the
 * network: a slice of the whole text would keep that text's width.
 */
export function cut(text, size) {
  const chunks = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return JSON.parse(JSON.stringify(chunks))
}
