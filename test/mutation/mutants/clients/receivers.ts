import type { Mutant } from '../../mutant.ts';

const tests = ['test/clients/receivers.test.ts'];
const guideTests = ['test/contract/events-guide.test.ts'];
const script = 'infra/documents/samples/receiver.ts';
const python = 'infra/documents/samples/receiver.py';
const guide = 'infra/documents/site/guide/events.ts';
const guideJa = 'infra/documents/site/guide/ja/events.ts';
const types = 'infra/documents/site/guide/event-types.ts';

/** The programs that hear events, and what the guide says around them. */
export const receivers: readonly Mutant[] = [
  { fault: 'the receiver takes what nobody signed', file: script, code: 'return 400;', mutant: '// Goes on.', tests },
  { fault: 'the receiver reacts again to what comes again', file: script, code: 'if (!heard.has(id)) ', mutant: '', tests },
  { fault: 'the receiver forgets what it heard', file: script, code: '  heard.add(id);\n', mutant: '', tests },
  {
    fault: 'a forged event keeps the receiver from the true one',
    file: script,
    code: '  try {\n    webhook',
    mutant: '  const isHeard = heard.has(id);\n  heard.add(id);\n  if (isHeard) return 204;\n  try {\n    webhook',
    tests,
  },
  { fault: 'the receiver reads bodies of any length', file: script, code: 'if (body.length > longest) return 413;', mutant: '', tests },
  {
    fault: 'the receiver fails at a type that it does not know',
    file: script,
    code: 'reactions[type] ?? `Nothing',
    mutant: 'reactions[type].trim() ?? `Nothing',
    tests,
  },
  {
    fault: 'the receiver has a type that nobody sends',
    file: script,
    code: "'order.dispute_closed'",
    mutant: "'order.dispute.closed'",
    tests,
  },
  { fault: 'the receiver names a field that does not come', file: script, code: '{amount_refunded}', mutant: '{refunded_amount}', tests },
  {
    fault: 'the receiver in Python takes what is old',
    file: python,
    code: 'if abs(int(time.time()) - int(timestamp)) > TOLERANCE_SECONDS',
    mutant: 'if int(timestamp) - int(time.time()) > TOLERANCE_SECONDS',
    tests,
  },
  {
    fault: 'the receiver in Python takes what is of tomorrow',
    file: python,
    code: 'if abs(int(time.time()) - int(timestamp)) > TOLERANCE_SECONDS',
    mutant: 'if int(time.time()) - int(timestamp) > TOLERANCE_SECONDS',
    tests,
  },
  {
    fault: 'the receiver in Python refuses what is just young enough',
    file: python,
    code: '> TOLERANCE_SECONDS',
    mutant: '>= TOLERANCE_SECONDS',
    tests,
  },
  {
    fault: 'the receiver in Python is a minute too patient',
    file: python,
    code: 'TOLERANCE_SECONDS = 300',
    mutant: 'TOLERANCE_SECONDS = 360',
    tests,
  },
  {
    fault: 'the receiver in Python does not look at the timestamp that was signed',
    file: python,
    code: 'f"{message_id}.{timestamp}."',
    mutant: 'f"{message_id}.{int(time.time())}."',
    tests,
  },
  { fault: 'the receiver in Python verifies no id', file: python, code: 'if not message_id or not re', mutant: 'if not re', tests },
  {
    fault: 'the receiver in Python looks at the first signature alone',
    file: python,
    code: 'in signatures.split(" ")]',
    mutant: 'in signatures.split(" ")[:1]]',
    tests,
  },
  { fault: 'the receiver in Python wants every signature to be right', file: python, code: 'return any(', mutant: 'return all(', tests },
  {
    fault: 'the receiver in Python takes any version of a signature',
    file: python,
    code: 'one.encode("latin-1")',
    mutant: 'b"v1," + one.split(",")[-1].encode("latin-1")',
    tests,
  },
  {
    fault: 'the receiver in Python signs with the text of the secret',
    file: python,
    code: 'base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)',
    mutant: 'os.environ["WEBHOOK_SECRET"].encode()',
    tests,
  },
  { fault: 'the receiver in Python takes what nobody signed', file: python, code: 'return self.answer(400)', mutant: 'pass', tests },
  { fault: 'the receiver in Python reacts again to what comes again', file: python, code: 'if is_new:', mutant: 'if True:', tests },
  { fault: 'the receiver in Python reads bodies of any length', file: python, code: ' or int(length) > LONGEST', mutant: '', tests },
  {
    fault: 'the receiver in Python fails at a type that it does not know',
    file: python,
    code: ' if kind in REACTIONS else f"Nothing to do: {kind}"',
    mutant: '',
    tests,
  },
  {
    fault: 'the receiver in Python names a field that does not come',
    file: python,
    code: 'was {previous_status}',
    mutant: 'was {old_status}',
    tests,
  },
  { fault: 'the guide leaves an attempt out', file: guide, code: '10 h, 14 h', mutant: '14 h', tests: guideTests },
  { fault: 'the guide in Japanese leaves an attempt out', file: guideJa, code: '10時間、14時間', mutant: '14時間', tests: guideTests },
  { fault: 'the guide names fields as the code does', file: types, code: 'wireName(name)', mutant: 'name', tests: guideTests },
  { fault: 'the guide shows another id than comes', file: types, code: '_q7Xm2VbA', mutant: '', tests: guideTests },
];
