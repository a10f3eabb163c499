/** The language of the script: one is built for each. */
declare const LANGUAGE: 'en' | 'ja';
/** Whose console the script is: one is built for each. */
declare const ROLE: 'seller' | 'admin';
