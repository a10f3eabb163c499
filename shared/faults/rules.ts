/*
 * What can be wrong with a field, by id: the words that go after its name. `{max:number}` is a parameter, of digits; a `word` has no
 * blanks, a `text` may be anything. `(s)` is the plural that goes with the number before it. See README.md
 */

export const missing = 'is missing';
export const blank = 'must not be blank';
export const missingForDecision = 'is missing, which a decision of {decisions:text} needs';
export const taken = 'is taken';
export const emptyOrRepeated = 'is given empty or more than once';
export const repeated = 'is given more than once';

// Of another type.
export const notText = 'must be text';
export const notNumber = 'must be a number';
export const notWhole = 'must be a whole number';
export const notBoolean = 'must be true or false';
export const notList = 'must be a list';
export const notObject = 'must be an object';
export const notFilePart = 'must be a file part';
export const otherType = 'must be of another type';
export const otherMembers = 'must not hold other members';
export const otherShape = 'must be as the reference shows it';

// Too long, too many, too much.
export const tooLong = 'must be at most {max:number} character(s) long';
export const tooShort = 'must be at least {min:number} character(s) long';
export const otherLength = 'must be exactly {length:number} character(s) long';
export const tooMany = 'must be a list of at most {max:number}';
export const tooFew = 'must be a list of at least {min:number}';
export const otherCount = 'must be a list of exactly {count:number}';
export const tooLarge = 'must be at most {max:number}';
export const tooSmall = 'must be at least {min:number}';
export const otherNumber = 'must be exactly {number:number}';
export const notWithin = 'must be {min:number} to {max:number}';
export const notWholeWithin = 'must be a whole number from {min:number} to {max:number}';
export const notMultiple = 'must be a multiple of {step:number}';

// Of another form.
export const otherValue = 'must be {value:word}';
export const notOneOf = 'must be one of {values:text}';
export const otherForm = 'must have another form';
export const turnsReading = 'must not hold marks that change the reading order';
export const holdsControls = 'must not hold control characters';
export const holdsNul = 'must not hold a NUL character';
export const notEmail = 'must be an e-mail address';
export const notWebUri = 'must be an http or https URI without spaces, quotes, backslashes or credentials';
export const notEndpointUrl =
  'must be an https URL of a public name other than this service’s, on port 443, without credentials or fragment';
export const notMediaType = 'must be a media type';
export const notSha256 = 'must be 64 hexadecimal digits';
export const notInvoiceNumberOrNone = 'must be T and 13 digits, or empty';
export const notNonce = 'must be 1 to 128 of A-Z, a-z, 0-9, _ and -';
export const notRequestCode = 'must be a whole request code, as the app shows it';
export const notIdempotencyKey = 'must be 16 to 255 visible ASCII characters';
export const notCompletionToken = 'is not a completion token';
export const foreignCursor = 'is not one of this list';

// Times.
export const notTime = 'must be a time such as 2026-01-31T09:00:00.000Z';
export const notPast = 'must be a past time';
export const inFuture = 'must not be in the future';
export const notInFuture = 'must be in the future';
export const notAfterStart = 'must be after starts_at';

// The body as a whole.
export const notJsonObject = 'must be a JSON object';
export const nestedTooDeep = 'is nested deeper than {max:number}';
export const holdsBrokenText = 'holds a NUL character or half of a surrogate pair';
export const notMultipart = 'is not well-formed multipart/form-data';
export const notEvent = 'must have an id and a type';
export const nothingToChange = 'must have activation_limit or updates_until';
export const notOneTerm = 'must have exactly one of license_key, buyer_email and order_id';
export const notOneCredential = 'must have either token, or buyer_email and completion_token';

// Prices.
export const notAmount = 'must be an amount such as {example:text}';
export const notWholeAmount = 'must be a whole amount in this currency';
export const tooManyDecimals = 'must have at most {max:number} decimals in this currency';
export const notChargeable = 'must be a multiple of {step:number} in this currency';
export const otherCurrency = 'must be given anew with another currency';

// Products and their terms.
export const noLetter = 'must hold a letter or a digit';
export const mixedScripts = 'must not mix Latin with letters of another script in one word, other than Han, kana and Hangul';
export const notKeyPrefix = 'must be 1 to 12 of A-Z and 0-9, starting with a letter';
export const noLabel = 'must hold a label in ja or en';
export const unlistedFeature = 'must name only what is in features';
export const severalImported = 'must be 1 where license_issuance_mode is imported_csv';
export const tooManySeats = 'must be at most {max:number} with this activation_limit';
export const endlessUpdates = 'must be left out where updates_days is without end';
export const notOtherProducts = 'must name other products of yours, each once';
export const notPending = 'must be live, since the product has no pending revision';

// Discounts.
export const notDiscountCode = 'must be 3 to 32 of A-Z, 0-9 and -';
export const noReduction = 'is missing, and percent_off too: one of them is needed';
export const twoReductions = 'must be left out beside percent_off';
export const overPrice = 'must be at most the price, which is {price:number}';

// Files and releases.
export const notReleaseFileName = 'must be 1 to 128 of A-Z, a-z, 0-9, ., _ and -, the first a letter or digit, for purpose release';
export const notPicture = 'must be one of {types:text} for purpose image';
export const repeatedPart = 'must hold each part_number once';
export const partBeyondFile = 'must have part_numbers of 1 to {max:number}';
export const notChosen = 'must be chosen';
export const notVersion = 'must be a version of SemVer 2.0.0 without build metadata, its numbers of at most 9 digits';
export const notDottedNumbers = 'must be 1 to 4 numbers of at most 18 digits, separated by dots';
export const otherStability = 'must be stable for a version without prerelease, and another for one with';
export const notFeedName = 'must be a channel’s, such as latest.yml or beta-mac.yml';

// What a release lacks to be handed in.
export const noFull = 'must hold at least one full';
export const tooMuchHtml = 'must become at most {max:number} KB of HTML';
export const missingFor = 'is missing, which {use:text} needs';
export const notFinalized = 'must be of a finalized file';
export const notEd25519 = 'must be base64 of 64 bytes for appcast';
export const notMinisign = 'must be base64 for tauri';
export const notNupkg = 'must be of a file whose name ends in .nupkg for velopack';
export const notInstaller =
  'must be of an installer that electron-updater can run: .exe that is not portable, .zip (.dmg only beside it), .AppImage, .deb, .rpm or .pacman';
export const notBlockmapOfFull = 'must be of a file named as a full of its platform and arch, followed by .blockmap';
export const noFeedOfDelta = 'must hold appcast or velopack for a delta';
export const sameOffer = 'must not offer a full for the same platform, arch and updater as {artifact:word}';
export const sameName = 'must not be of a file with the same name, platform and arch as {artifact:word}';

// Orders and licenses.
export const severalUpdates = 'must be 1 where kind is updates';
export const tooManySeatsAdded = 'takes the license over {max:number} seats';
export const tooManySeatsUpgraded = 'makes a license of over {max:number} seats';
export const updatesTooFar = 'lengthens the updates to more than {days:number} days from now';
export const updatesWithoutEnd = 'of this license is without end';
export const updatesNotLater = 'must be later than the present one';
export const updatesTooLate = 'must be at most {days:number} days after issued_at';
export const addressUnknown = 'of this order is not known';
export const refusedByProvider = 'is not taken by the payment provider';

// API tokens and webhook endpoints.
export const noScope = 'must name at least one scope';
export const noProduct = 'must name at least one product, or be left out';
export const endpointsOfSome = 'must not have endpoints:write beside product_ids: endpoints are sent what happens to every product';
export const foreignProduct = 'must name products of your own';
export const noType = 'must name at least one type, or be left out';
export const repeatedType = 'must name each type once';
export const eventGiven = 'must be left out where event_id is given';

// Of a row of codes, which has no field: whole sentences, and one reason that programs look for.
export const noCode = 'The code is missing.';
export const codeOfSpreadsheet = 'spreadsheet';
export const codeOfOtherLength = 'The code is not {min:number} to {max:number} characters long.';
export const codeBeyondAscii = 'The code has characters other than printable ASCII.';
export const codeIsFormula = 'The code starts with one of = + - @.';
export const codeOfTooFewSymbols = 'Fewer than {min:number} characters of the code count; spaces and dashes do not.';
