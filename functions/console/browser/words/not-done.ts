/**
 * What did not happen, said to whoever asked for it: that it was not done, or could not be. What a button says is no such
 * sentence, in neither language.
 */
export type NotDone = `${string} ${'was' | 'were' | 'could'} not ${string}.` | `${string}ませんでした。`;

/** The sentence as a text of a screen, whose translation has to be one, too. As a declared function the build leaves it out. */
export function notDone(sentence: NotDone): NotDone {
  return sentence;
}
