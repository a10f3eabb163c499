import './copy.js';
import './load-reference.js';
