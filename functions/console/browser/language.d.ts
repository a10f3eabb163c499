/** The language of the script, which is built for one. */
declare const LANGUAGE: 'ja' | 'en';
